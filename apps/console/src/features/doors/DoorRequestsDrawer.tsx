/** Requests at doors, beside the page they are opened from. */
import { Drawer } from 'antd'
import { useTranslation } from 'react-i18next'
import { DoorRequests } from './DoorRequests.tsx'

const WIDTH = 820

export default function DoorRequestsDrawer({ open, close }: { open: boolean; close: () => void }) {
  const { t } = useTranslation('doors')
  return (
    <Drawer
      open={open}
      onClose={close}
      size={WIDTH}
      title={t('requests')}
      destroyOnHidden
      styles={{ body: { paddingBottom: 0, background: 'var(--surface)' } }}
    >
      <DoorRequests />
    </Drawer>
  )
}
