/** /accessRestrictionDetail?id=: one area, its doors and rules, and how many are inside. */
import { EditOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { passDirection } from '@gatehouse/contract/enums/devices'
import { restrictionLimitType } from '@gatehouse/contract/enums/access'
import { restrictionCalls, type RestrictionArea } from '@gatehouse/contract/restrictions/calls'
import { DetailPage, Facts, Section } from '../../kit/detail/DetailPage.tsx'
import { StatusTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { useRead } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMay } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { formOf, musterOf, personsOf, useRuleWords, useAreaActions, Occupancy } from './areas.tsx'
import { usePolling } from './usePolling.ts'
import styles from './restrictions.module.css'

export default function AreaDetailPage() {
  const [search] = useSearchParams()
  const area = useRead(restrictionCalls.read, { params: { id: search.get('id') ?? '' } })
  usePolling([restrictionCalls.read])
  return <DetailPage query={area}>{(found) => <Detail area={found} />}</DetailPage>
}

function Detail({ area }: { area: RestrictionArea }) {
  const { t } = useTranslation('restrictions')
  const navigate = useNavigate()
  const label = useEnumLabel()
  const rules = useRuleWords()
  const { remove } = useAreaActions(() => void navigate(path('accessRestriction')))
  const { id, name, limitType, devices, exitDevices, offlinePolicy, updatedAt } = area
  return (
    <Screen
      title={name}
      note={<Occupancy {...area} />}
      actions={
        <>
          <Button danger type="text" onClick={() => remove(area)}>
            {t('delete')}
          </Button>
          <Button onClick={() => void navigate(musterOf(id))}>{t('muster.title')}</Button>
          <Button onClick={() => void navigate(personsOf(id))}>{t('persons')}</Button>
          <Button type="primary" icon={<EditOutlined />} onClick={() => void navigate(formOf(id))}>
            {t('edit')}
          </Button>
        </>
      }
    >
      <Section title={t('doors')}>
        <Doors of={devices} />
      </Section>
      {exitDevices.length > 0 && (
        <Section title={t('exits')}>
          <Doors of={exitDevices} />
        </Section>
      )}
      <Section title={t('rules')}>
        <Facts
          facts={[
            [t('limitType'), label(restrictionLimitType, limitType)],
            [t('rulesOn'), rules(area)],
            [t('offline'), t(`offlinePolicy.${offlinePolicy}`)],
            [t('updatedAt'), <RelativeTime at={updatedAt} />],
          ]}
        />
      </Section>
    </Screen>
  )
}

function Doors({ of }: { of: RestrictionArea['devices'] }) {
  const { t } = useTranslation('restrictions')
  const label = useEnumLabel()
  const mayOpen = useMay('device.list')
  if (of.length === 0) return <p className={styles.none}>{t('noDoor')}</p>
  return (
    <ul className={styles.doors}>
      {of.map(({ id, name, direction }) => (
        <li key={id}>
          <StatusTag status={direction === passDirection.in ? 'info' : 'off'}>{label(passDirection, direction)}</StatusTag>
          {mayOpen ? (
            <Link to={path('deviceDetails', { deviceId: id })} title={name}>
              {name}
            </Link>
          ) : (
            <span title={name}>{name}</span>
          )}
        </li>
      ))}
    </ul>
  )
}
