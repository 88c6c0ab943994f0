import { lateDialog } from './lateDialog.tsx'

/** One's own data. */
export const UserInfoDialog = lateDialog(() => import('./UserInfoForm.tsx'))
