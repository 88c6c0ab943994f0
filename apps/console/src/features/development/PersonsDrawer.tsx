/** The persons of one device, beside the list. */
import { Drawer } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { PAGE_SIZE_DEFAULT } from '@gatehouse/contract'
import { developmentCalls } from '@gatehouse/contract/development/calls'
import { useLocalList } from '../../kit/list/useLocalList.ts'
import { PairList } from './PairList.tsx'
import styles from './development.module.css'

const WIDTH = 720

export default function PersonsDrawer({ open, device, close }: { open: boolean; device: { id: string; name: string }; close: () => void }) {
  const { t } = useTranslation('development')
  const inside = useRef<HTMLDivElement>(null)
  return (
    <Drawer
      open={open}
      onClose={close}
      size={WIDTH}
      title={t('issued.personsOf', { name: device.name })}
      destroyOnHidden
      styles={{ body: { paddingBottom: 0, background: 'var(--surface)' } }}
      afterOpenChange={(isOpen) => isOpen && inside.current?.focus({ preventScroll: true })}
    >
      <div ref={inside} tabIndex={-1} className={styles.inside}>
        <Persons deviceId={device.id} />
      </div>
    </Drawer>
  )
}

function Persons({ deviceId }: { deviceId: string }) {
  return (
    <PairList
      list={useLocalList(developmentCalls.personsOfDevice, { name: 'issuedPairs', fixed: { deviceId }, size: PAGE_SIZE_DEFAULT })}
      each="person"
    />
  )
}
