/** Notices that were closed: for this login in this tab, not for good. */
import { useState } from 'react'
import { storage } from '../../api/storage.ts'

const keyOf = (name: string): string => `closed:${storage.get('profile')?.id ?? ''}:${name}`

/** Whether a notice was closed, and how to close it. */
export function usePutAway(name: string): [closed: boolean, close: () => void] {
  const [closed, setClosed] = useState(() => sessionStorage.getItem(keyOf(name)) !== null)
  const close = (): void => {
    sessionStorage.setItem(keyOf(name), '1')
    setClosed(true)
  }
  return [closed, close]
}
