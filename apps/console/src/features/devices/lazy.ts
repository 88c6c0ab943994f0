/** Components that are loaded on first use. */
import { lazy } from 'react'

export const DoorOf = lazy(() => import('./DoorButton.tsx'))
