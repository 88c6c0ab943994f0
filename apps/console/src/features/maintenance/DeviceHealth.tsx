/** Processor, memory and disk of a device on its own page, with a warning for what is too full. */
import { ReloadOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { maintenanceCalls, type DeviceResource } from '@gatehouse/contract/maintenance/calls'
import { RESOURCE_KINDS, kindsAbove } from '@gatehouse/contract/maintenance/resources'
import { DetailPage } from '../../kit/detail/DetailPage.tsx'
import { useRead } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import styles from './maintenance.module.css'

export function DeviceHealth({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('maintenance')
  const resource = useRead(maintenanceCalls.resource, { body: { deviceId } })
  return (
    <DetailPage query={resource}>
      {(known) => (
        <div className={styles.health}>
          {known.alerts.map(({ id, kind, value, threshold, raisedAt }) => (
            <Alert
              key={id}
              type="warning"
              showIcon
              title={
                <>
                  {t('resource.alert', { what: t(`resource.${kind}`), value: Math.round(value), threshold })} <RelativeTime at={raisedAt} />
                </>
              }
            />
          ))}
          {known.usage ? <Shares known={known} /> : <p className={styles.words}>{t('resource.unknown')}</p>}
          <p className={styles.words}>
            {known.usage && !known.isFresh && (
              <>
                {t('resource.toldAt')} <RelativeTime at={known.usage.at} />{' '}
              </>
            )}
            <Button size="small" type="text" icon={<ReloadOutlined spin={resource.isFetching} />} onClick={() => void resource.refetch()}>
              {t('resource.look')}
            </Button>
          </p>
        </div>
      )}
    </DetailPage>
  )
}

function Shares({ known: { usage, thresholds } }: { known: DeviceResource }) {
  const { t } = useTranslation('maintenance')
  if (usage === null) return null
  const above = kindsAbove(usage, thresholds)
  return (
    <ul className={styles.shares}>
      {RESOURCE_KINDS.map((kind) => (
        <li key={kind} data-above={above.includes(kind) || undefined}>
          <span>{t(`resource.${kind}`)}</span>
          <i role="presentation">
            <i style={{ width: `${usage[kind]}%` }} />
          </i>
          <b>{Math.round(usage[kind])} %</b>
        </li>
      ))}
    </ul>
  )
}
