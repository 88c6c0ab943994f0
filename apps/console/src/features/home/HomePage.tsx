/** /home: what needs somebody today. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { useRead } from '../../kit/query.ts'
import { Screen } from '../../kit/Screen.tsx'
import { useMay, useSession } from '../../kit/session.ts'
import { path } from '../../paths.ts'
import styles from './home.module.css'

export default function HomePage() {
  const { t } = useTranslation('home')
  const park = useSession((state) => state.park?.parkName ?? '')
  return (
    <Screen title={park} note={t('now')}>
      {useMay('person.list') && <People />}
    </Screen>
  )
}

function People() {
  const { t } = useTranslation('home')
  const { data } = useRead(peopleCalls.summary, {})
  const list = path('staffList')
  const numbers = [
    { label: t('people'), value: data?.total, to: list },
    { label: t('withoutFace'), value: data?.withoutFace, to: `${list}?hasFace=0` },
    { label: t('expiring'), value: data?.expiring, to: `${list}?expiringDays=30` },
    { label: t('expired'), value: data?.expired, to: `${list}?status=2` },
  ]
  return (
    <div className={styles.numbers}>
      {numbers.map(({ label, value, to }) => (
        <Link key={label} to={to}>
          <span>{label}</span>
          <b>{value?.toLocaleString() ?? '—'}</b>
        </Link>
      ))}
    </div>
  )
}
