import { PageHead } from '../parts/page-head'
import { Empty } from '../parts/states'

export function Unbuilt() {
  return (
    <>
      <PageHead title="Not here yet" />
      <Empty title="This view is not built." />
    </>
  )
}
