/** Listens for `?`; the list of keys is loaded when first opened. */
import { useEffect } from 'react'
import { create } from 'zustand'
import { isKey, isTyping, KEYS } from '../../kit/keys.ts'
import { lateDialog } from '../account/lateDialog.tsx'

const KeysDialog = lateDialog(() => import('./KeysDialog.tsx'))

export function KeysHost() {
  const { open } = useKeys()
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!isKey(KEYS.everywhere.keys, event.key) || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
      event.preventDefault()
      openKeys()
    }
    window.addEventListener('keydown', press)
    return () => {
      window.removeEventListener('keydown', press)
      // If the session ends while it is open, it is closed at the next login.
      closeKeys()
    }
  }, [])
  return <KeysDialog open={open} close={closeKeys} />
}

const useKeys = create<{ open: boolean }>(() => ({ open: false }))
export const openKeys = (): void => useKeys.setState({ open: true })
const closeKeys = (): void => useKeys.setState({ open: false })
