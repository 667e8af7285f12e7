import { posix, relative, sep } from 'node:path'

/**
 * An ESLint rule for what a folder may import. ESLint's own `no-restricted-imports` sees only how an import is
 * spelled, and `../store/store.js` means something else in every folder; this one resolves it first.
 *
 * Options: `root`, and `boundaries`, a list of
 * - `files`: patterns of the files that it binds, `except`: of those that it does not
 * - `only`: patterns of what they may import at all, or `never`: of what they may not, `but`: exceptions to that
 * - `types`: patterns of what they may import besides, if it is for types alone
 * - `reason`: what the message says
 *
 * A target is the path of a module in the repository without its extension (`src/store/store`) or a package or
 * builtin as written (`pg`, `node:fs`). `*` in a pattern stands for anything; `x/*` covers `x` too.
 */
export const importBoundaries = {
  meta: { type: 'problem', schema: [{ type: 'object' }], messages: { outside: '{{target}}: {{reason}}' } },
  create(context) {
    const { root, boundaries } = context.options[0]
    const file = relative(root, context.filename).split(sep).join('/')
    const binding = boundaries.filter(
      ({ files, except = [] }) => matches(files, file) && !matches(except, file),
    )
    if (binding.length === 0) return {}

    function check(source, typesOnly) {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') {
        context.report({
          node: source,
          messageId: 'outside',
          data: { target: 'import', reason: 'must be a literal here' },
        })
        return
      }
      const target = resolveTarget(file, source.value)
      const broken = binding.find(({ only, never = [], but = [], types = [] }) => {
        if (typesOnly && matches(types, target)) return false
        return (
          (matches(never, target) && !matches(but, target)) || (only !== undefined && !matches(only, target))
        )
      })
      if (broken)
        context.report({ node: source, messageId: 'outside', data: { target, reason: broken.reason } })
    }

    return {
      ImportDeclaration: (node) => check(node.source, isTypesOnly(node, 'importKind')),
      ExportAllDeclaration: (node) => check(node.source, node.exportKind === 'type'),
      ExportNamedDeclaration: (node) => node.source && check(node.source, isTypesOnly(node, 'exportKind')),
      ImportExpression: (node) => check(node.source, false),
      TSImportType: (node) => check(node.source ?? node.argument?.literal, true),
      TSExternalModuleReference: (node) => check(node.expression, false),
      'CallExpression[callee.name="require"]': (node) => check(node.arguments[0], false),
    }
  },
}

/** `import type {…}`, or every name in the braces marked `type`; an import without names runs the module. */
function isTypesOnly(node, kind) {
  if (node[kind] === 'type') return true
  return node.specifiers.length > 0 && node.specifiers.every((specifier) => specifier[kind] === 'type')
}

function resolveTarget(file, specifier) {
  if (!specifier.startsWith('.')) return specifier
  return posix.join(posix.dirname(file), specifier).replace(/\.[cm]?[jt]s$/, '')
}

function matches(patterns, target) {
  return patterns.some((pattern) => {
    if (pattern.endsWith('/*') && target === pattern.slice(0, -2)) return true
    const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
    return new RegExp(`^${escaped}$`).test(target)
  })
}
