// The physical limit: nginx, which passes bytes through in C. One process, no log, kept connections on both sides.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, listens, start } from '../child.mjs'
import { temporaryFolder } from '../leftovers.mjs'
import { versionOf } from '../load/load.mjs'

// Debian keeps it where only root's path leads
const program = ['nginx', '/usr/sbin/nginx'].find((one) => versionOf(one, '-v', /./) !== undefined)
export const nginxVersion = program && versionOf(program, '-v', /nginx\/(\S+)/)

/** a page stays in memory and leaves in few writes: a third of the processor time that the buffers cost as they come */
const largeBuffers = `
      proxy_buffer_size 16k;
      proxy_buffers 4 1m;
      proxy_busy_buffers_size 2m;
      proxy_max_temp_file_size 0;`

const configOf = ({ folder, port, platform }) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log crit;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 100000000;
  keepalive_timeout 120s;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  upstream platform { server ${new URL(platform).host}; keepalive 128; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port} backlog=1024;
    location / {
      proxy_pass http://platform;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Authorization "Bearer fixed";${largeBuffers}
    }
  }
}
`

export const nginx = {
  name: 'nginx',
  about: 'nginx at its best, passing through',
  missing: program === undefined && 'nginx is not installed (Debian: apt-get install nginx-light)',

  async start({ platform, core }) {
    const folder = temporaryFolder()
    const port = await freePort()
    const file = join(folder, 'nginx.conf')
    writeFileSync(file, configOf({ folder, port, platform }))
    const child = await start([program, '-p', folder, '-c', file], { core })
    await listens(port, child)
    return { child, origin: `http://127.0.0.1:${port}`, headers: {} }
  },
}
