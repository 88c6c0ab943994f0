/** Components that are loaded on first use. */
import { lazy } from 'react'

export const DoorRequestsDrawer = lazy(() => import('./DoorRequestsDrawer.tsx'))
export const DoorSettingDialog = lazy(() => import('./DoorSettingDialog.tsx'))
