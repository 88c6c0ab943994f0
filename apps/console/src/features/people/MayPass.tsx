/** The doors that open for a person, and the strategies that open them. */
import { useTranslation } from 'react-i18next'
import { accessCalls } from '@gatehouse/contract/access/calls'
import { DetailPage } from '../../kit/DetailPage.tsx'
import { useRead } from '../../kit/query.ts'
import styles from './people.module.css'

export function MayPass({ personId }: { personId: string }) {
  const { t } = useTranslation('people')
  const doors = useRead(accessCalls.strategiesOfPerson, { query: { personId } })
  return (
    <DetailPage query={doors}>
      {(found) =>
        found.length === 0 ? (
          <p className={styles.hint}>{t('mayPassNowhere')}</p>
        ) : (
          <ul className={styles.doors}>
            {found.map(({ deviceId, deviceName, strategies }) => (
              <li key={deviceId}>
                <b title={deviceName}>{deviceName}</b>
                <span>{strategies.map(({ name }) => name).join(t('common:listSeparator'))}</span>
              </li>
            ))}
          </ul>
        )
      }
    </DetailPage>
  )
}
