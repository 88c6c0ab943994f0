/** Which dialog of the person logged in is open, whoever opened it. */
import { create } from 'zustand'

export const USER_DIALOGS = ['userInfo', 'changePassword', 'alertSettings', 'mySessions'] as const
export type UserDialog = (typeof USER_DIALOGS)[number]

export const useUserDialog = create<{ open: UserDialog | undefined }>(() => ({ open: undefined }))
export const openUserDialog = (open: UserDialog): void => useUserDialog.setState({ open })
export const closeUserDialog = (): void => useUserDialog.setState({ open: undefined })
