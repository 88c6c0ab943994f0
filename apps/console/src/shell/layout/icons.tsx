/** Icons of the menu groups. */
import {
  AlertOutlined, AppstoreOutlined, BankOutlined, CalendarOutlined, CompassOutlined, DesktopOutlined, HomeOutlined, KeyOutlined, MedicineBoxOutlined,
  RadarChartOutlined, SettingOutlined, SolutionOutlined, TeamOutlined, UsergroupAddOutlined, VideoCameraOutlined,
} from '@ant-design/icons'
import type { ReactNode } from 'react'
import type { MenuSection } from './menu.ts'

export const groupIcons: Record<MenuSection['group'], ReactNode> = {
  top: <HomeOutlined />,
  epidemic: <MedicineBoxOutlined />,
  alert: <AlertOutlined />,
  person: <TeamOutlined />,
  device: <DesktopOutlined />,
  access: <KeyOutlined />,
  visitor: <SolutionOutlined />,
  patrol: <CompassOutlined />,
  video: <VideoCameraOutlined />,
  attendance: <CalendarOutlined />,
  meeting: <UsergroupAddOutlined />,
  microApp: <AppstoreOutlined />,
  surveillance: <RadarChartOutlined />,
  park: <BankOutlined />,
  system: <SettingOutlined />,
}
