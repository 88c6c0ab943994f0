/** All keys and what they do, by the place where they work. */
import { Modal } from 'antd'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { KEYS } from '../../kit/keys.ts'
import type { DialogProps } from '../account/lateDialog.tsx'
import styles from './keys.module.css'

/** Labels of keys, where they differ from the event's name. */
const CAPS: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc', k: 'Ctrl K' }
const places = Object.entries(KEYS) as [keyof typeof KEYS, Record<string, readonly string[]>][]

export default function KeysDialog({ open, close }: DialogProps) {
  const { t } = useTranslation('keys')
  const cap = (key: string): string => (key === ' ' ? t('space') : (CAPS[key] ?? (key.length === 1 ? key.toUpperCase() : key)))
  return (
    <Modal open={open} title={t('title')} width={640} centered onCancel={close} footer={null}>
      <div className={styles.places}>
        {places.map(([place, uses]) => (
          <section key={place}>
            <h2>{t(`${place}.title`)}</h2>
            <dl>
              {Object.entries(uses).map(([use, keys]) => (
                <div key={use}>
                  <dt>
                    {keys.map((key) => (
                      <Fragment key={key}>
                        <kbd>{cap(key)}</kbd>{' '}
                      </Fragment>
                    ))}
                  </dt>
                  <dd>{t(`${place}.${use}`)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}
