#!/bin/busybox sh
# The first process of the machine of `make test-vm`: its root is the host's, read only, with memory on top; tablebridge is
# installed there as docs/deployment.md says; then systemd takes over. The kernel's command line says where things are:
# vm_repo= the repository, vm_kernel= the unpacked kernel, vm_python= the Python that the venv was made with.
set -eu
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
exec > /dev/console 2>&1
trap 'echo "init.sh failed"; poweroff -f' EXIT
for module in /modules/*; do insmod "$module"; done
for word in $(cat /proc/cmdline); do
  case "$word" in vm_*=*) eval "$word" ;; esac
done
mkdir -p /host /memory /new
mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=262144 host /host
mount -t tmpfs -o size=75% memory /memory
mkdir /memory/upper /memory/work
mount -t overlay -o lowerdir=/host,upperdir=/memory/upper,workdir=/memory/work root /new
cd /new
for folder in proc sys dev; do mount -o bind /$folder $folder; done

# The machine's own units, rules and name servers are not wanted; its journal must not be touched.
for folder in etc/systemd/system etc/systemd/network etc/udev/rules.d run var/log/journal; do
  mkdir -p $folder
  mount -t tmpfs empty $folder
done
: > etc/fstab
rm -f .dockerenv
for unit in systemd-tmpfiles-setup.service systemd-firstboot.service systemd-machine-id-commit.service \
            systemd-update-utmp.service systemd-journal-flush.service systemd-random-seed.service systemd-repart.service \
            systemd-sysusers.service systemd-sysctl.service systemd-modules-load.service systemd-remount-fs.service \
            systemd-binfmt.service systemd-udev-trigger.service proc-sys-fs-binfmt_misc.automount sys-fs-fuse-connections.mount sys-kernel-config.mount \
            sys-kernel-debug.mount sys-kernel-tracing.mount dev-hugepages.mount dev-mqueue.mount \
            systemd-ask-password-console.path cryptsetup.target integritysetup.target veritysetup.target; do
  ln -s /dev/null etc/systemd/system/$unit
done

# Modules, so that udev loads drivers by itself, as on any machine.
mkdir -p lib/modules
mount -o bind /new$vm_kernel/lib/modules lib/modules

# Homes and /tmp are hidden from the units: what the virtual environment needs of them lies in /opt.
mkdir -p opt/source opt/python opt/packages opt/tablebridge/bin etc/systemd/system.conf.d
mount -o bind /new$vm_repo opt/source
mount -o bind /new$vm_python opt/python
mount -o bind "$(echo /new$vm_repo/.venv/lib/python3*/site-packages)" opt/packages
echo 'home = /opt/python/bin' > opt/tablebridge/pyvenv.cfg
packages=opt/tablebridge/lib/$(basename "$(dirname /new$vm_repo/.venv/lib/python3*/site-packages)")/site-packages
mkdir -p $packages
printf '/opt/source\n/opt/source/drivers\n/opt/packages\n' > $packages/vm.pth
ln -s /opt/python/bin/python3 opt/tablebridge/bin/python
printf '#!/opt/tablebridge/bin/python\nfrom tablebridge.cli import main\n\nmain()\n' > opt/tablebridge/bin/tablebridge
chmod +x opt/tablebridge/bin/tablebridge
printf '[Manager]\nDefaultEnvironment=LD_LIBRARY_PATH=/opt/python/lib\n' > etc/systemd/system.conf.d/vm.conf

# As docs/deployment.md says.
LD_LIBRARY_PATH=/opt/python/lib chroot /new /opt/tablebridge/bin/tablebridge install

# The tests are a service of their own.
cat > /new/etc/systemd/system/vm-tests.service <<UNIT
[Unit]
Description=tests of tablebridge
Requires=systemd-udevd.service
After=systemd-udevd.service sysinit.target
[Service]
Type=oneshot
Environment=HOME=/root LANG=C.UTF-8
WorkingDirectory=$vm_repo
ExecStart=/bin/sh tests/vm/run.sh
TimeoutStartSec=infinity
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS0
UNIT
cd /
exec switch_root /new /lib/systemd/systemd --unit=vm-tests.service
