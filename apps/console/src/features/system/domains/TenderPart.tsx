/** The switch by which the home page says that this is a demonstration for a tender. */
import { Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { useRead } from '../../../api/query.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { Part } from './Part.tsx'
import styles from '../system.module.css'

export function TenderPart() {
  const { t } = useTranslation('system')
  const bid = useRead(installationCalls.bidInfo, {})
  const set = useWrite(installationCalls.setBid)
  return (
    <Part title={t('tender.title')} words={t('tender.words')}>
      <DetailPage query={bid}>
        {({ value }) => (
          <div className={styles.switchLine}>
            <Switch
              checked={value === 1}
              loading={set.pending}
              aria-label={t('tender.switch')}
              onChange={(on) => set.run({ query: { value: on ? 1 : 0 } })}
            />
            <span>{value === 1 ? t('tender.on') : t('tender.off')}</span>
          </div>
        )}
      </DetailPage>
    </Part>
  )
}
