/** What is loaded when it is first asked for. */
import { lazy } from 'react'

export const DoorOf = lazy(() => import('./DoorButton.tsx'))
