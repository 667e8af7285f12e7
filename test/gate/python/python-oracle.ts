import { spawnSync } from 'node:child_process'
import { canonicalKey } from '../../../src/gate/literal.js'
import type { ReadPythonSource } from '../../../src/gate/python/load.js'

/** What a reader makes of one file: null for a refusal, otherwise each call with its line and its arguments. */
export type Reading = readonly ReadCall[] | null
export type ReadCall = readonly [
  line: number,
  fields: readonly (readonly [name: string, key: string, line: number])[],
]

/** The same rules over CPython's own tree. Two refusals are the reader's own: surrogates, and what JSON cannot hold. */
const ORACLE = String.raw`
import ast, base64, codecs, json, math, re, sys, warnings
warnings.simplefilter("ignore")

class Refused(Exception): pass

def dump(node):
    if isinstance(node, ast.Constant):
        value = node.value
        if value is None or isinstance(value, bool): return json.dumps(value)
        if isinstance(value, str):
            if any(0xD800 <= ord(c) <= 0xDFFF for c in value): raise Refused("surrogate")
            return json.dumps(value)
        return number(value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        value = node.operand.value
        if isinstance(value, bool): raise Refused("minus")
        return number(value, -1)
    if isinstance(node, ast.List):
        return "[" + ",".join([dump(item) for item in node.elts]) + "]"
    if isinstance(node, ast.Dict):
        entries = []
        for key, value in zip(node.keys, node.values):
            if not (isinstance(key, ast.Constant) and isinstance(key.value, str)): raise Refused("key")
            dump(key)
            entries.append((key.value, dump(value)))
        entries.sort(key=lambda entry: entry[0])
        return "{" + ",".join(json.dumps(key) + ":" + value for key, value in entries) + "}"
    raise Refused(type(node).__name__)

def number(value, sign=1):
    if isinstance(value, float) and math.isfinite(value): return json.dumps(sign * value)
    if isinstance(value, int) and value < 10 ** 4300: return json.dumps(sign * value)
    raise Refused("number")

def plain(node):
    """Whether json.dumps must agree: no key stands twice."""
    return not any(isinstance(n, ast.Dict) and len({k.value for k in n.keys}) < len(n.keys) for n in ast.walk(node))

def check_cookie(source):
    source = source.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    for line in source.split(b"\n")[:2]:
        cookie = re.match(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", line)
        if cookie:
            if codecs.lookup(cookie[1].decode()).name not in ("utf-8", "utf-8-sig"): raise Refused("cookie")
            return
        if not re.match(rb"[ \t\f]*(?:#|$)", line): return

def read(source):
    check_cookie(source)
    calls = []
    for statement in ast.parse(source).body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "register_ci_gate"):
            continue
        if call.args: raise Refused("positional")
        fields = []
        for keyword in call.keywords:
            if keyword.arg is None or any(keyword.arg == field[0] for field in fields): raise Refused("keyword")
            key = dump(keyword.value)
            if plain(keyword.value):
                assert key == json.dumps(ast.literal_eval(keyword.value), sort_keys=True, separators=(",", ":")), key
            fields.append([keyword.arg, key, keyword.value.lineno])
        calls.append([call.lineno, fields])
    return calls

for line in sys.stdin:
    try: print(json.dumps(read(base64.b64decode(line))))
    except (Refused, LookupError, SyntaxError, ValueError, RecursionError, MemoryError): print("null")
`

/** The system's python3, or null. */
export function pythonVersion(): string | null {
  const { status, stdout } = spawnSync('python3', ['-c', 'import ast, sys; print(sys.version.split()[0])'], {
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trim() : null
}

/** Reads the files with CPython. */
export function readWithPython(sources: readonly Uint8Array[]): Reading[] {
  const input = sources.map((source) => `${Buffer.from(source).toString('base64')}\n`).join('')
  const { status, stdout, stderr } = spawnSync('python3', ['-c', ORACLE], {
    input,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`python3 failed: ${stderr}`)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Reading)
}

/** Reads a file with the reader under test, in the same terms. */
export function readAlike(readPythonSource: ReadPythonSource, source: Uint8Array): Reading {
  const outcome = readPythonSource(source)
  if (!outcome.ok) return null
  return outcome.value.map(({ line, fields }) => [
    line ?? 0,
    fields.map(({ key, value }) => [key, canonicalKey(value), Number(value.where.split(':')[1])] as const),
  ])
}
