import { lateDialog } from './lateDialog.tsx'

/** Where one is logged in, and logging out there. */
export const SessionsDialog = lateDialog(() => import('./SessionsList.tsx'))
