/** What is loaded when it is first asked for. */
import { lazy, Suspense, type ComponentProps } from 'react'

const Line = lazy(() => import('./EffectLine.tsx'))
const Deletion = lazy(() => import('./DeletionEffect.tsx'))

/** What saving a form would change at doors. */
export const EffectLine = (props: ComponentProps<typeof Line>) => (
  <Suspense fallback={null}>
    <Line {...props} />
  </Suspense>
)

/** What deleting something would change at doors. */
export const DeletionEffect = (props: ComponentProps<typeof Deletion>) => (
  <Suspense fallback={null}>
    <Deletion {...props} />
  </Suspense>
)
