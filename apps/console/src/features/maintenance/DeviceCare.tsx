/** What keeps a device running, on its own page: commands and logs behind one button, and what is known of it below. */
import { DownOutlined, ToolOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import type { Device } from '@gatehouse/contract/devices/calls'
import { endKey } from '../../kit/menuKeys.ts'
import { Section } from '../../kit/detail/DetailPage.tsx'
import { DoorRequests } from '../doors/index.ts'
import { DeviceHealth } from './DeviceHealth.tsx'
import { useMaintenance } from './useMaintenance.tsx'

type Cared = Pick<Device, 'id' | 'name' | 'onlineStatus'>

export function DeviceCare({ device }: { device: Cared }) {
  const { t } = useTranslation('maintenance')
  const { actionsOf, dialogs } = useMaintenance()
  const items = actionsOf(device).map(({ key, label, run, danger = false }) => ({ key, label, danger, onClick: run }))
  return (
    <>
      <Dropdown trigger={['click']} placement="bottomRight" menu={{ items, onClick: endKey }}>
        <Button icon={<ToolOutlined />}>
          {t('tools.title')} <DownOutlined />
        </Button>
      </Dropdown>
      {dialogs}
    </>
  )
}

export function DeviceCareSections({ device: { id } }: { device: Cared }) {
  const { t } = useTranslation('maintenance')
  return (
    <>
      <Section title={t('resource.title')}>
        <DeviceHealth deviceId={id} />
      </Section>
      <Section title={t('tools.requests')}>
        <DoorRequests deviceId={id} />
      </Section>
    </>
  )
}
