/** A user's settings of a list: its columns and density. Stored per user and list. */
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { storage } from '../../api/storage.ts'

export type Density = 'compact' | 'comfortable'
export interface ListSettings {
  density: Density
  setDensity: (density: Density) => void
  /** Keys of the hidden columns; undefined: the defaults of the page. */
  hidden: string[] | undefined
  setHidden: (keys: string[] | undefined) => void
}

export function useListSettings(name: string): ListSettings {
  const key = `${useSession(({ profile }) => profile?.id ?? '')}/${name}`
  const [own, setOwn] = useState(() => storage.get('listSettings')?.[key] ?? {})
  const change = (part: { hidden?: string[] | undefined; density?: Density }): void => {
    const next = { ...own, ...part }
    setOwn(next)
    storage.set('listSettings', { ...storage.get('listSettings'), [key]: next })
  }
  return {
    density: own.density ?? 'compact',
    setDensity: (density) => change({ density }),
    hidden: own.hidden,
    setHidden: (hidden) => change({ hidden }),
  }
}
