/** Where the password is asked for once more; what shows it is loaded when first needed. */
import { lazy, Suspense } from 'react'
import { useAsking } from '../api/confirmation.ts'

const Dialog = lazy(() => import('./ConfirmationDialog.tsx'))

/** Stands once, inside the theme. */
export function ConfirmationOutlet() {
  const asking = useAsking((state) => state.asking)
  return asking ? (
    <Suspense fallback={null}>
      <Dialog end={asking.end} />
    </Suspense>
  ) : null
}
