import type { Credentials } from '../../auth/credentials.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import type { App } from '../app-types.js'
import { EvalDesk } from '../evals/eval-desk.js'
import { baselineRoutes } from './baselines.js'
import { dashboardRoutes } from './dashboard.js'
import { declarationRoutes } from './declarations.js'
import { docsRoutes } from './docs.js'
import { evalComparisonRoutes } from './eval-comparisons.js'
import { evalGridRoutes } from './eval-grids.js'
import { evalRunRoutes } from './eval-runs.js'
import { exchangeRoutes } from './exchange.js'
import { healthRoutes } from './health.js'
import { historyRoutes } from './history.js'
import { imageRoutes } from './images.js'
import { metricsRoutes } from './metrics.js'
import { ladderEvidenceRoutes } from './ladder-evidence.js'
import { ladderReportRoutes } from './ladder-reports.js'
import { ladderVariantRoutes } from './ladder-variants.js'
import { ladderRoutes, liveRoutes } from './ladders.js'
import { replayRoutes } from './replays.js'
import { revocationRoutes } from './revocations.js'
import { runRoutes } from './runs.js'
import { sessionRoutes } from './session.js'
import { tokenRoutes } from './tokens.js'
import { verdictRoutes } from './verdicts.js'
import { whoamiRoutes } from './whoami.js'

/** Every route of the API. */
export async function routes(
  app: App,
  {
    gatehouse,
    credentials,
    maxImportBytes,
  }: { gatehouse: Gatehouse; credentials: Credentials; maxImportBytes: number },
): Promise<void> {
  runRoutes(app, gatehouse)
  verdictRoutes(app, gatehouse)
  declarationRoutes(app, gatehouse)
  baselineRoutes(app, gatehouse)
  historyRoutes(app, gatehouse)
  imageRoutes(app, gatehouse)
  replayRoutes(app, gatehouse)
  exchangeRoutes(app, gatehouse, maxImportBytes)
  revocationRoutes(app, gatehouse)
  const desk = new EvalDesk()
  app.addHook('onClose', () => desk.close())
  evalGridRoutes(app, gatehouse, desk)
  evalRunRoutes(app, gatehouse, desk)
  evalComparisonRoutes(app, gatehouse, desk)
  ladderRoutes(app, gatehouse)
  liveRoutes(app, gatehouse)
  ladderVariantRoutes(app, gatehouse)
  ladderEvidenceRoutes(app, gatehouse)
  ladderReportRoutes(app, gatehouse)
  tokenRoutes(app, gatehouse, credentials)
  sessionRoutes(app, gatehouse, credentials)
  whoamiRoutes(app, credentials)
  healthRoutes(app, gatehouse)
  metricsRoutes(app)
  docsRoutes(app)
  await dashboardRoutes(app)
}
