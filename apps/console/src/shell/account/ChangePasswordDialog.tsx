import { lateDialog } from './lateDialog.tsx'

/** A new password of one's own; afterwards one logs in again. */
export const ChangePasswordDialog = lateDialog(() => import('./ChangePasswordForm.tsx'))
