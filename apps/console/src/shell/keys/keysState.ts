import { create } from 'zustand'

export const useKeys = create<{ open: boolean }>(() => ({ open: false }))
export const openKeys = (): void => useKeys.setState({ open: true })
export const closeKeys = (): void => useKeys.setState({ open: false })
