/** One setting of how strictly faces are compared, with room for its sliders. */
import type { ReactNode } from 'react'
import { Setting as PlainSetting } from '../../../kit/form/Setting.tsx'
import styles from './policy.module.css'

export function Setting(props: { title: string; words: string; children: ReactNode }) {
  return <PlainSetting {...props} className={styles.setting} />
}

/** Properties of a slider that keep the number at its handle inside the page's landmarks. */
export const besideHandle = { getPopupContainer: (handle: HTMLElement): HTMLElement => handle.parentElement ?? document.body }
