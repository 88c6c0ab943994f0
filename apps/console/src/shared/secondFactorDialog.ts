/** Whether the dialog about the user's own second factor is open: it is opened from the user's menu, and by pages. */
import { create } from 'zustand'

export const useSecondFactorDialog = create<{ open: boolean }>(() => ({ open: false }))
export const openSecondFactor = (): void => useSecondFactorDialog.setState({ open: true })
export const closeSecondFactor = (): void => useSecondFactorDialog.setState({ open: false })
