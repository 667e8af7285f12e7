import t from 'tap'
import { canonicalKey } from '../../../src/gate/literal.js'
import { loadPythonReader } from '../../../src/gate/python/load.js'
import { readVectors } from '../../support/vectors.js'

interface DeclarationRow {
  readonly name: string
  readonly source?: string
  readonly source_base64?: string
  readonly expected: {
    readonly refused?: boolean
    readonly declarations?: readonly {
      readonly metric_key: string
      readonly steps_key: string
      readonly constraint_key: string
      readonly enforce: boolean
    }[]
  }
}

interface KeyRow {
  readonly name: string
  readonly field: string
  readonly source: string
  readonly expected: { readonly refused?: boolean; readonly key?: string }
}

/** Rows that are refused for what their fields say; reading them is no fault. Any other refusal is the reader's. */
const REFUSED_LATER = new Set([
  // A field is missing, or must not be None.
  ...['no_default_missing_both', 'default_key_explicit_none_steps', 'no_args', 'none_metric', 'enforce_none', 'hard_none'],
  ...['hard_no_steps', 'constraint_none_whole', 'constraint_upper_none_lower_ok'],
  // A field is of another kind.
  ...['int_metric', 'enforce_int', 'enforce_str', 'hard_bare_number', 'hard_bool', 'constraint_list', 'constraint_string'],
  ...['steps_int', 'steps_neg_int', 'steps_dict', 'steps_list_true', 'steps_list_none', 'steps_list_str', 'steps_list_nested'],
  ...['steps_zero_float'],
  // A field is out of range.
  ...['empty_metric_key', 'nul_escape_metric', 'space_metric', 'steps_huge_int', 'constraint_huge_int', 'hard_swapped'],
  ...['steps_last_upper', 'steps_last_trailing_space', 'steps_last_fullwidth', 'steps_empty_str', 'steps_list_big'],
  ...['steps_list_neg', 'steps_list_zero_and_minus_zero', 'constraint_huge_int_over_float', 'constraint_negative'],
  ...['constraint_negative_down'],
  // The constraint lacks a side, or has a parameter that does not exist or stands twice.
  ...['only_upper', 'only_upper_k_std', 'proto_param', 'constraint_empty', 'constraint_dup_key_by_escape'],
  ...['constraint_unknown_key', 'constraint_unicode_key', 'constraint_nested_quotes', 'constraint_only_upper_rel'],
  ...['constraint_only_upper_abs', 'constraint_bad_value_before_missing_lower'],
  // The file declares a metric twice.
  ...['same_metric_twice_other_steps', 'same_metric_twice_by_escape'],
]) // prettier-ignore

const readPythonSource = await loadPythonReader()
const declarationRows = readVectors<DeclarationRow>('declarations')
const keyRows = readVectors<KeyRow>('canonical_keys')

for (const row of declarationRows) {
  t.test(`declarations: ${row.name}`, async (t) => {
    const bytes = row.source_base64 ? Buffer.from(row.source_base64, 'base64') : Buffer.from(row.source ?? '')
    const outcome = readPythonSource(bytes)
    if (row.expected.refused && !REFUSED_LATER.has(row.name)) return t.notOk(outcome.ok, 'refused')
    if (!outcome.ok) return t.fail('read', { faults: outcome.faults })
    if (row.expected.refused) return t.ok(outcome.value.length > 0, 'read, to be refused later')
    const expected = row.expected.declarations ?? []
    t.equal(outcome.value.length, expected.length, 'as many declarations')
    for (const [index, declaration] of outcome.value.entries()) {
      const keys = new Map(declaration.fields.map(({ key, value }) => [key, canonicalKey(value)]))
      const wanted = expected[index]
      t.equal(
        keys.get('metric_key'),
        wanted && JSON.stringify(wanted.metric_key).replace(/[^\0-~]/g, escaped),
      )
      // What a file leaves out comes from the defaults, and a hard reference is keyed otherwise.
      if (keys.has('steps')) t.equal(keys.get('steps'), wanted?.steps_key)
      if (keys.has('constraint')) t.equal(keys.get('constraint'), wanted?.constraint_key)
      if (keys.has('hard_ref')) t.equal(`{"hard_ref":${keys.get('hard_ref')}}`, wanted?.constraint_key)
      if (keys.has('enforce')) t.equal(keys.get('enforce'), String(wanted?.enforce))
    }
    return undefined
  })
}

for (const row of keyRows) {
  t.test(`canonical keys: ${row.name}`, async (t) => {
    const outcome = readPythonSource(
      Buffer.from(`register_ci_gate(metric_key="m", ${row.field}=${row.source})`),
    )
    if (row.expected.refused && !REFUSED_LATER.has(row.name)) return t.notOk(outcome.ok, 'refused')
    if (!outcome.ok) return t.fail('read', { faults: outcome.faults })
    const value = outcome.value[0]?.fields[1]?.value
    if (!value) return t.fail('the field is read')
    return row.expected.refused
      ? t.pass('read, to be refused later')
      : t.equal(canonicalKey(value), row.expected.key)
  })
}

t.test('the list of later refusals holds refused rows only', async (t) => {
  const refused = [...declarationRows, ...keyRows]
    .filter((row) => row.expected.refused)
    .map((row) => row.name)
  for (const name of REFUSED_LATER) t.ok(refused.includes(name), name)
})

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
