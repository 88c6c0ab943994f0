/** What is loaded when it is first asked for. */
import { lazy } from 'react'

export const PermitField = lazy(() => import('./PermitField.tsx'))
export const PermitDialog = lazy(() => import('./PermitDialog.tsx'))
export const PermitNotice = lazy(() => import('./PermitNotice.tsx'))
