/** What is below settings that are saved together: it stays in sight, and says whether there is something to save. */
import { Button } from 'antd'
import type { ReactNode } from 'react'
import styles from './settings.module.css'

interface SettingsFootProps {
  /** Id of the form. */
  form: string
  unsaved: boolean
  pending: boolean
  texts: { save: string; discard: string; unsaved: string }
  discard: () => void
  /** Whether what was typed can be discarded; absent: a button that is disabled while there is nothing. False: there is none. */
  hasDiscard?: boolean
  /** Further buttons. */
  children?: ReactNode
}

export function SettingsFoot({ form, unsaved, pending, texts, discard, hasDiscard, children }: SettingsFootProps) {
  return (
    <div className={styles.foot}>
      <Button type="primary" htmlType="submit" form={form} loading={pending} disabled={!unsaved}>
        {texts.save}
      </Button>
      {hasDiscard !== false && (
        <Button disabled={hasDiscard === undefined && !unsaved} onClick={discard}>
          {texts.discard}
        </Button>
      )}
      {children}
      <span role="status">{unsaved && texts.unsaved}</span>
    </div>
  )
}
