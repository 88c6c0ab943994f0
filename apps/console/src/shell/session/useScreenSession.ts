import { useEffect } from 'react'
import { keepScreenSession } from './screenSession.ts'

/** Renews the session of a data screen while it is shown. */
export const useScreenSession = (): void => useEffect(keepScreenSession, [])
