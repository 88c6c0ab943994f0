/** A screen outside menu and header at which somebody works. */
import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { KeysHost } from '../keys/KeysHost.tsx'
import { NoticeArea } from '../notices/NoticeArea.tsx'
import { PaletteHost } from '../palette/PaletteHost.tsx'
import { useAttended } from './useAttended.ts'
import styles from './layout.module.css'

export function Attended() {
  useAttended()
  return (
    <div className={styles.attended}>
      <NoticeArea />
      <Suspense fallback={null}>
        <Outlet />
      </Suspense>
      <PaletteHost />
      <KeysHost />
    </div>
  )
}
