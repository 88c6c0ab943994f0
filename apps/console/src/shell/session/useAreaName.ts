/** The current park as stored: another tab may have switched it. */
import { useEffect } from 'react'
import { create } from 'zustand'
import { AREA_NAME_POLL } from '@gatehouse/contract'
import { useSession } from '../../api/session.ts'
import { storage } from '../../api/storage.ts'

const useStoredArea = create<{ name: string | undefined; areaCode: string | undefined }>(() => ({ name: undefined, areaCode: undefined }))

/** Read the stored park every six seconds. @returns a function that stops it */
export function watchArea(): () => void {
  const timer = setInterval(
    () => useStoredArea.setState({ name: storage.get('areaName'), areaCode: storage.get('areaCode') }),
    AREA_NAME_POLL,
  )
  return () => clearInterval(timer)
}

/** Used once, in the layout. */
export const useWatchedArea = (): void => useEffect(watchArea, [])

export function useAreaName(): string {
  const own = useSession(({ park }) => park?.parkName ?? '')
  return useStoredArea(({ name }) => name) ?? own
}

/** Return the name of the park that another tab has switched to while this page still shows the one before. */
export function useParkElsewhere(): string | undefined {
  const own = useSession(({ park }) => park?.areaCode)
  const { name, areaCode } = useStoredArea()
  return areaCode !== undefined && own !== undefined && areaCode !== own ? name : undefined
}

/** Return the stored name, for code that renders nothing. */
export const storedAreaName = (): string | undefined => useStoredArea.getState().name
