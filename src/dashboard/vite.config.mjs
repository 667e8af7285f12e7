/**
 * Builds the page: `vite build --config src/dashboard/vite.config.mjs --outDir <folder>`, the folder seen from
 * this one. Names carry a hash of the content, so that they may be kept for ever; what is worth it lies compressed
 * beside its original, since a page is read far more often than built.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig } from 'vite'

const WORTH_COMPRESSING = 1_024

function compressed() {
  let folder = ''
  return {
    name: 'compressed',
    configResolved({ root, build }) {
      folder = join(root, build.outDir)
    },
    closeBundle() {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!/\.(?:js|css|svg|html)$/.test(entry.name)) continue
        const file = join(entry.parentPath, entry.name)
        const bytes = readFileSync(file)
        if (bytes.length < WORTH_COMPRESSING) continue
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
        writeFileSync(`${file}.br`, brotliCompressSync(bytes))
      }
    },
  }
}

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  base: '/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  logLevel: command === 'build' ? 'warn' : 'info',
  build: {
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the page refuses data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  plugins: [compressed()],
}))
