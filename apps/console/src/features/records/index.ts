/** What other features may use of this one. */
import { lazy } from 'react'

/** Loaded where a record is opened. */
export const RecordDrawer = lazy(() => import('./RecordDrawer.tsx'))
