/** How to get the engine that is right for thousands of people. */
import { Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { Section } from '../../../kit/detail/DetailPage.tsx'
import styles from '../faces.module.css'

const FETCH = 'npm run models'
const CHOOSE = 'MODEL_DIR=models npm run serve'

export function BetterEngine() {
  const { t } = useTranslation('faces')
  return (
    <Section title={t('better.title')}>
      <p className={styles.words}>{t('better.words')}</p>
      <ol className={styles.steps}>
        <li>
          <span>{t('better.fetch')}</span>
          <Command>{FETCH}</Command>
        </li>
        <li>
          <span>{t('better.choose')}</span>
          <Command>{CHOOSE}</Command>
        </li>
        <li>
          <span>{t('better.after')}</span>
        </li>
      </ol>
    </Section>
  )
}

function Command({ children }: { children: string }) {
  const { t } = useTranslation('faces')
  return (
    <span className={styles.command}>
      <code>{children}</code>
      <Typography.Text copyable={{ text: children, tooltips: [t('better.copy', { command: children }), t('better.copied')] }} />
    </span>
  )
}
