import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { createPanelApi } from './panel-api';

contextBridge.exposeInMainWorld('understudy', createPanelApi(ipcRenderer, webUtils));
