/** What is loaded when it is first asked for. */
import { lazy } from 'react'

export const DoorRequestsDrawer = lazy(() => import('./DoorRequestsDrawer.tsx'))
export const DoorSettingDialog = lazy(() => import('./DoorSettingDialog.tsx'))
