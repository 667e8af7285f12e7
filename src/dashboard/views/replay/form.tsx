/** What is replayed: which series, which time, and by which bands. */
import { useId, useState } from 'preact/hooks'
import { get } from '../../api/client'
import type { Page, SeriesItem } from '../../api/types'
import { useResource } from '../../hooks/use-resource'
import { navigate } from '../../router'
import { BAND_PARAMETERS, type BandParameter, hasBand, replayHref, type ReplayForm } from './request'

const SUGGESTED = 1_000

const BAND_WORDS: Readonly<Record<BandParameter, string>> = {
  rel_up: 'share of the mean',
  abs_floor_up: 'at least',
  k_std_up: 'standard deviations',
  rel_down: 'share of the mean',
  abs_floor_down: 'at least',
  k_std_down: 'standard deviations',
}

/** @param form as the address tells it; whoever changes the address gives the form another key */
export function Form({
  form: given,
  isBusy,
  onAgain,
}: {
  form: ReplayForm
  isBusy: boolean
  onAgain: () => void
}) {
  const [form, setForm] = useState(given)
  const set = (changes: Partial<ReplayForm>) => setForm((before) => ({ ...before, ...changes }))
  const suggested = useResource('series', (signal) =>
    get<Page<SeriesItem>>('/v1/series', { query: { limit: SUGGESTED }, signal }),
  )
  const series = suggested.data?.items ?? []

  function submit(event: Event) {
    event.preventDefault()
    const href = replayHref(form)
    if (href === location.pathname + location.search) onAgain()
    else navigate(href)
  }

  return (
    <form class="panel replay-form" onSubmit={submit}>
      <div class="replay-fields">
        {(['test_path', 'backend', 'suite'] as const).map((name) => (
          <Suggesting
            key={name}
            label={LABELS[name]}
            value={form[name]}
            options={[...new Set(series.map((item) => item[name]))]}
            onChange={(value) => set({ [name]: value })}
          />
        ))}
        <Day label="Since" value={form.since} onChange={(since) => set({ since })} />
        <Day label="Until" value={form.until} onChange={(until) => set({ until })} />
      </div>
      <details class="replay-band" open={hasBand(given) || given.metric !== ''}>
        <summary>Try another band</summary>
        <p class="muted small">
          What is left empty stays as the newest run of a series declared it. Nothing is stored.
        </p>
        <div class="replay-fields">
          <label class="field replay-metric">
            <span>Metric</span>
            <input
              class="input"
              value={form.metric}
              placeholder="every banded metric"
              spellcheck={false}
              onInput={(event) => set({ metric: event.currentTarget.value })}
            />
          </label>
          {BAND_PARAMETERS.map((name) => (
            <label key={name} class="field">
              <span>
                <code>{name}</code> <span class="muted small">{BAND_WORDS[name]}</span>
              </span>
              <input
                class="input"
                type="number"
                min="0"
                step="any"
                placeholder="as declared"
                value={form.band[name]}
                onInput={(event) => set({ band: { ...form.band, [name]: event.currentTarget.value } })}
              />
            </label>
          ))}
        </div>
      </details>
      <div class="replay-submit">
        <button type="submit" class="button button-primary" disabled={isBusy}>
          {isBusy ? 'Replaying…' : 'Replay'}
        </button>
        <span class="muted small">Reads one snapshot and writes nothing. Days are UTC.</span>
      </div>
    </form>
  )
}

const LABELS = { test_path: 'Test file', backend: 'Backend', suite: 'Suite' } as const

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function Suggesting({ label, value, options, onChange }: FieldProps & { options: readonly string[] }) {
  const id = useId()
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        list={id}
        value={value}
        placeholder="any"
        spellcheck={false}
        autoComplete="off"
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={id}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </label>
  )
}

function Day({ label, value, onChange }: FieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        type="date"
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  )
}
