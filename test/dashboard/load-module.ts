/** Modules of the page for Node: those that compute and touch no document. Vite reads them as it does for the page. */
import { createServer } from 'vite'

interface Teardown {
  teardown(work: () => Promise<void>): unknown
}

/** Answers what loads a module by its path under `src/dashboard`; its type is the caller's to know. */
export async function moduleLoader(t: Teardown): Promise<<M>(path: string) => Promise<M>> {
  const vite = await createServer({
    configFile: 'src/dashboard/vite.config.mjs',
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  })
  t.teardown(() => vite.close())
  return async <M>(path: string) => (await vite.ssrLoadModule(path)) as M
}
