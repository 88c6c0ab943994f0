/** Name of the current park as stored: another tab may have switched it. */
import { useEffect, useState } from 'react'
import { AREA_NAME_POLL } from '@gatehouse/contract'
import { useSession } from '../../kit/session.ts'
import { storage } from '../../kit/storage.ts'

export function useAreaName(): string {
  const own = useSession(({ park }) => park?.parkName ?? '')
  const [stored, setStored] = useState<string>()
  useEffect(() => {
    const timer = setInterval(() => setStored(storage.get('areaName')), AREA_NAME_POLL)
    return () => clearInterval(timer)
  }, [])
  return stored ?? own
}
