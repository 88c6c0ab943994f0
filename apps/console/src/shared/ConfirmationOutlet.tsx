/** Shows the dialog that asks for the password again; its code is loaded when first needed. */
import { lazy, Suspense } from 'react'
import { useAsking } from '../api/confirmation.ts'

const Dialog = lazy(() => import('./ConfirmationDialog.tsx'))

/** Rendered once, inside the theme. */
export function ConfirmationOutlet() {
  const asking = useAsking((state) => state.asking)
  return asking ? (
    <Suspense fallback={null}>
      <Dialog end={asking.end} />
    </Suspense>
  ) : null
}
