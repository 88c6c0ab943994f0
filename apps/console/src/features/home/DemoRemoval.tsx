/** What a removal of the demo takes and what stays, counted before it is asked for. */
import { Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { useReadOnce } from '../../api/query.ts'
import styles from './home.module.css'

const COUNTED = ['persons', 'devices', 'strategies', 'records'] as const

export function DemoRemoval() {
  const { t, i18n } = useTranslation('home')
  const { data: foreseen, isPending } = useReadOnce(organisationCalls.foreseeDemoRemoval, {})
  const number = (value: number): string => value.toLocaleString(i18n.language)
  return (
    <div className={styles.removal}>
      {isPending ? (
        <Skeleton active title={false} paragraph={{ rows: COUNTED.length + 1 }} />
      ) : foreseen === undefined ? (
        <p>{t('demo.unforeseen')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('demo.what')}</th>
              <th scope="col">{t('demo.goes')}</th>
              <th scope="col">{t('demo.stays')}</th>
            </tr>
          </thead>
          <tbody>
            {COUNTED.map((what) => (
              <tr key={what}>
                <th scope="row">{t(`demo.${what}`)}</th>
                <td>{number(foreseen.goes[what])}</td>
                <td>{number(foreseen.stays[what])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>{t('demo.loss')}</p>
      <p>{t('demo.kept')}</p>
    </div>
  )
}
