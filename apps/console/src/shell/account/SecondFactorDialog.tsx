import { lateDialog } from './lateDialog.tsx'

/** One's own second factor: set up, moved to another phone, removed. */
export const SecondFactorDialog = lateDialog(() => import('./SecondFactor.tsx'))
