#!/bin/sh
# A Slurm of this machine alone, for tests: `slurm.sh DIR` starts it, `slurm.sh stop DIR` ends it. Needs root, and Debian's
# packages slurm-wlm and munge. All its files are in DIR; whoever sets SLURM_CONF to DIR/slurm.conf uses it.
set -eu

if [ "$1" = stop ]; then
    for name in slurmd slurmctld munged; do
        [ -f "$2/$name.pid" ] && kill -9 "$(cat "$2/$name.pid")" 2>/dev/null || true
    done
    exit 0
fi
dir=$1
mkdir -p "$dir/state" "$dir/spool" "$dir/munge"
dir=$(cd "$dir" && pwd)
chmod 755 "$dir" "$dir/munge"
dd if=/dev/urandom of="$dir/munge/key" bs=1024 count=1 2>/dev/null
chmod 400 "$dir/munge/key"
munged --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munged.pid" \
    --log-file="$dir/munge/log" --seed-file="$dir/munge/seed"
host=$(hostname -s)
cat >"$dir/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CredType=cred/munge
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
slurmctld -f "$dir/slurm.conf"
slurmd -f "$dir/slurm.conf"
export SLURM_CONF="$dir/slurm.conf"
n=0
until sinfo -h -o %t 2>/dev/null | grep -q idle; do
    n=$((n + 1))
    [ $n -lt 50 ] || {
        tail -n 3 "$dir/slurmctld.log" "$dir/slurmd.log" >&2
        exit 1
    }
    sleep 0.2
done
