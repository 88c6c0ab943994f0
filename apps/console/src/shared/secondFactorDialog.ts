/** Whether the dialog about one's own second factor is open: it stands in the person's menu, and a page may lead to it. */
import { create } from 'zustand'

export const useSecondFactorDialog = create<{ open: boolean }>(() => ({ open: false }))
export const openSecondFactor = (): void => useSecondFactorDialog.setState({ open: true })
export const closeSecondFactor = (): void => useSecondFactorDialog.setState({ open: false })
