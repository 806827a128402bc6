"""Run by torchrun on every accelerator of a gate: exits with an error where a node does less than it should.

Reads FLOOR_GBS, the least bus bandwidth of an all-reduce; without it, any is enough.
"""

import math
import os
import time

import torch
import torch.distributed as dist

MESSAGE_GIB = 4
STEPS = 50


def bus_bandwidth_gbs() -> float:
    """Of all-reduces of one large message, as nccl-tests count it: median of ten."""
    ranks = dist.get_world_size()
    data = torch.ones(MESSAGE_GIB * 2**28, device="cuda")
    taken = []
    for _ in range(15):
        torch.cuda.synchronize()
        dist.barrier()
        began = time.perf_counter()
        dist.all_reduce(data)
        torch.cuda.synchronize()
        taken.append(time.perf_counter() - began)
        data.fill_(1.0)
    took = sorted(taken[5:])[5]
    return MESSAGE_GIB * 2**30 / took * 2 * (ranks - 1) / ranks / 1e9


def losses() -> tuple[float, float]:
    """Before and after some steps of a small transformer, trained by all ranks together."""
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(1024, 16, 4096, dropout=0.0, batch_first=True)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.TransformerEncoder(layer, 4).cuda().bfloat16())
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    given = torch.randn(8, 512, 1024, device="cuda", dtype=torch.bfloat16)
    seen = []
    for _ in range(STEPS):
        loss = (model(given) - given.roll(1, 1)).float().pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen.append(loss.item())
    return seen[0], seen[-1]


def problems() -> list[str]:
    """What is wrong with the nodes."""
    rank, found = dist.get_rank(), list[str]()
    reached, floor = bus_bandwidth_gbs(), float(os.environ.get("FLOOR_GBS") or 0)
    if rank == 0:
        print(f"all-reduce: {reached:.1f} GB/s of bus bandwidth, at least {floor:.1f} expected")
    if reached < floor:
        found.append("the fabric or NVLink is slow")
    before, after = losses()
    if rank == 0:
        print(f"training: loss {before:.4f} before, {after:.4f} after {STEPS} steps")
    if not (math.isfinite(after) and after < before):
        found.append("training does not learn: an accelerator computes wrongly")
    return found


if __name__ == "__main__":
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    wrong = problems()
    dist.destroy_process_group()
    if wrong:
        raise SystemExit("; ".join(wrong))
