/** Components that are loaded on first use. */
import { lazy } from 'react'

export const PermitField = lazy(() => import('./PermitField.tsx'))
export const PermitDialog = lazy(() => import('./PermitDialog.tsx'))
export const PermitNotice = lazy(() => import('./PermitNotice.tsx'))
