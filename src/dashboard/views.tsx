/** The views by their addresses: a view more is a line here, and one in `PAGE_PATHS`. */
import type { ComponentType } from 'preact'
import type { PagePath } from '../http/page-paths'
import type { ViewProps } from './view-props'
import { ComparisonView } from './views/evals/comparison'
import { EvalsView } from './views/evals/evals'
import { GridView } from './views/evals/grid'
import { LadderView } from './views/ladders/ladder'
import { LaddersView } from './views/ladders/list'
import { Overview } from './views/overview/overview'
import { ReplayView } from './views/replay/replay'
import { RevocationsView } from './views/revocations/list'
import { RevocationView } from './views/revocations/revocation'
import { RunView, VerdictView } from './views/run/run'
import { SeriesView } from './views/series/series'
import { SignIn } from './views/sign-in/sign-in'

export const VIEWS: Readonly<Record<PagePath, ComponentType<ViewProps>>> = {
  '/': Overview,
  '/sign-in': SignIn,
  '/series': SeriesView,
  '/runs/:run_id': RunView,
  '/verdicts/:verdict_id': VerdictView,
  '/revocations': RevocationsView,
  '/revocations/:revocation_id': RevocationView,
  '/replay': ReplayView,
  '/evals': EvalsView,
  '/evals/grids/:grid_id': GridView,
  '/evals/comparisons/:comparison_id': ComparisonView,
  '/ladders': LaddersView,
  '/ladders/:ladder': LadderView,
}

/** The navigation: an entry is current on every address that begins with one of `owns`. */
export const NAVIGATION: ReadonlyArray<{ label: string; href: string; owns: readonly string[] }> = [
  { label: 'Overview', href: '/', owns: ['/series', '/runs', '/verdicts'] },
  { label: 'Revocations', href: '/revocations', owns: ['/revocations'] },
  { label: 'Replay', href: '/replay', owns: ['/replay'] },
  { label: 'Evals', href: '/evals', owns: ['/evals'] },
  { label: 'Ladders', href: '/ladders', owns: ['/ladders'] },
]
