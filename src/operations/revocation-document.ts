import type { ImpactDocument, RevocationDocument } from '../documents/revocation.js'
import type { Revocation, RevocationImpact } from '../store/trust.js'
import { encodeSeries } from './encode.js'

/** @param revocationId null for a dry run, which made none */
export function revocationDocument(
  revocation: Omit<Revocation, 'revocationId'>,
  revocationId: string | null,
): RevocationDocument {
  const { createdAt, actor, reason, matched, flipped, undone } = revocation
  return {
    revocation_id: revocationId,
    dry_run: revocationId === null,
    revoked: flipped.length,
    run_ids: [...flipped],
    matched_run_ids: [...matched],
    created_at: createdAt,
    actor,
    reason,
    undone: undone && { created_at: undone.createdAt, actor: undone.actor, reason: undone.reason },
    impact: JSON.parse(revocation.impact) as ImpactDocument,
  }
}

export function impactDocument(impact: RevocationImpact): ImpactDocument {
  return {
    coordinates: impact.coordinates.map(({ series, metricKey, step, nBefore, nAfter, effect }) => ({
      series: encodeSeries(series),
      metric_key: metricKey,
      step,
      n_before: nBefore,
      n_after: nAfter,
      effect,
    })),
    coordinates_total: impact.coordinatesTotal,
    verdicts: impact.verdicts.map(({ verdictId, createdAt, series, outcome }) => ({
      verdict_id: verdictId,
      created_at: createdAt,
      series: encodeSeries(series),
      outcome,
    })),
    verdicts_total: impact.verdictsTotal,
  }
}
