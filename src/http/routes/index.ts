import type { Gatehouse } from '../../operations/gatehouse.js'
import type { App } from '../app-types.js'
import { baselineRoutes } from './baselines.js'
import { declarationRoutes } from './declarations.js'
import { docsRoutes } from './docs.js'
import { healthRoutes } from './health.js'
import { revocationRoutes } from './revocations.js'
import { runRoutes } from './runs.js'
import { verdictRoutes } from './verdicts.js'
import { whoamiRoutes } from './whoami.js'

/** Every route of the API. */
export async function routes(app: App, { gatehouse }: { gatehouse: Gatehouse }): Promise<void> {
  runRoutes(app, gatehouse)
  verdictRoutes(app, gatehouse)
  declarationRoutes(app, gatehouse)
  baselineRoutes(app, gatehouse)
  revocationRoutes(app, gatehouse)
  whoamiRoutes(app)
  healthRoutes(app, gatehouse)
  docsRoutes(app)
}
