/** Components that are loaded on first use. */
import { lazy, Suspense, type ComponentProps } from 'react'

const Line = lazy(() => import('./EffectLine.tsx'))
const Deletion = lazy(() => import('./DeletionEffect.tsx'))

/** The effect at doors of saving a form. */
export const EffectLine = (props: ComponentProps<typeof Line>) => (
  <Suspense fallback={null}>
    <Line {...props} />
  </Suspense>
)

/** The effect at doors of a deletion. */
export const DeletionEffect = (props: ComponentProps<typeof Deletion>) => (
  <Suspense fallback={null}>
    <Deletion {...props} />
  </Suspense>
)
